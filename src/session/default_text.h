// The text that the page shows before a visitor has typed one: over 64 tokens, so that
// effective attention differs from attention. Written for this project.
#pragma once

namespace nullscope::session {

inline constexpr char kDefaultText[] =
    "The village had two bakeries, and for as long as anyone could remember they had refused to speak to each other. "
    "One sold dark bread with seeds; the other sold white rolls that were still warm at noon. When the river rose in "
    "April and took the bridge with it, the older baker carried her flour across the fields in a wheelbarrow and "
    "knocked on the other [MASK]. Nobody heard what was said. By morning there was a single queue, a single oven, and "
    "a sign with both names on it.";

}  // namespace nullscope::session
