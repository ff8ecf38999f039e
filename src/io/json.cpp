#include "io/json.h"

#include <vector>

namespace nullscope::io {
namespace {

using Json = nlohmann::json;

// Builds the value while checking what the plain parser lets pass.
class StrictBuilder {
 public:
  StrictBuilder(std::string_view name, Json& root) : name_(name), root_(root) {}

  bool null() { return put(nullptr); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(Json::number_integer_t value) { return put(value); }
  bool number_unsigned(Json::number_unsigned_t value) { return put(value); }
  bool number_float(Json::number_float_t value, const std::string&) { return put(value); }
  bool string(std::string& value) { return put(std::move(value)); }
  bool binary(Json::binary_t&) { return false; }
  bool start_object(size_t) { return open(Json::object()); }
  bool start_array(size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& key) {
    auto& members = *open_.back()->get_ptr<Json::object_t*>();
    const auto [it, fresh] = members.emplace(key, nullptr);
    key_ = key;
    if (!fresh) return refuse("the key \"" + key + "\" occurs twice");
    slot_ = &it->second;
    return true;
  }

  bool parse_error(size_t position, const std::string&, const nlohmann::detail::exception& problem) {
    std::string what = problem.what();
    if (const size_t tag = what.find("] "); tag != std::string::npos) what.erase(0, tag + 2);
    std::string where = "byte " + std::to_string(position);
    if (!key_.empty()) where += ", near \"" + key_ + "\"";
    return refuse("not sound JSON at " + where + ": " + what);
  }

  const std::string& problem() const { return problem_; }

 private:
  bool refuse(std::string what) {
    problem_ = std::string(name_) + ": " + std::move(what);
    return false;
  }
  Json* place(Json&& value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    if (auto* items = open_.back()->get_ptr<Json::array_t*>()) {
      items->push_back(std::move(value));
      return &items->back();
    }
    *slot_ = std::move(value);
    return slot_;
  }
  bool put(Json&& value) {
    place(std::move(value));
    return true;
  }
  bool open(Json&& value) {
    if (open_.size() == kMaxJsonDepth)
      return refuse("JSON nested deeper than " + std::to_string(kMaxJsonDepth) + " levels");
    open_.push_back(place(std::move(value)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::string_view name_;
  Json& root_;
  std::vector<Json*> open_;  // containers being filled, outermost first
  Json* slot_ = nullptr;     // value of the key read last
  std::string key_, problem_;
};

}  // namespace

Result<Json> parse_json(std::string_view text, std::string_view name) {
  // The lexer takes a NUL for the end of its input, so that anything could hide behind one.
  if (const size_t nul = text.find('\0'); nul != std::string_view::npos)
    return fail(ErrorCode::kBadFormat,
                std::string(name) + ": not sound JSON: NUL byte at " + std::to_string(nul));
  Json root;
  StrictBuilder builder(name, root);
  if (!Json::sax_parse(text.begin(), text.end(), &builder))
    return fail(ErrorCode::kBadFormat, builder.problem());
  return root;
}

std::string json_excerpt(const Json& value) {
  constexpr size_t kLongest = 60;
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return text;
}

const Json* member(const Json& object, std::string_view key) {
  const auto* members = object.get_ptr<const Json::object_t*>();
  if (!members) return nullptr;
  const auto it = members->find(std::string(key));
  return it == members->end() ? nullptr : &it->second;
}

const std::string* as_string(const Json* value) {
  return value ? value->get_ptr<const std::string*>() : nullptr;
}

}  // namespace nullscope::io
