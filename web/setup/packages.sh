# Sourced: Debian packages, installed only when something is missing.

# Package and what tells that it is there: a command, or a file. What came another way (a cmake of
# one's own, say) counts as well.
PACKAGES_build=(
  ca-certificates=/etc/ssl/certs/ca-certificates.crt
  cmake=cmake ninja-build=ninja ccache=ccache g++=g++ pkg-config=pkg-config git=git
  python3=python3 python3-venv='python:ensurepip' python3-pip='python:pip' xz-utils=xz unzip=unzip
  libeigen3-dev=/usr/include/eigen3/Eigen/Core
  doctest-dev=/usr/include/doctest/doctest.h
  nlohmann-json3-dev=/usr/include/nlohmann/json.hpp
  libcli11-dev=/usr/include/CLI/CLI.hpp
  libstb-dev=/usr/include/stb/stb_image_write.h
  libssl-dev=/usr/include/openssl/evp.h
  libzip-dev=/usr/include/zip.h
  libglfw3-dev=/usr/include/GLFW/glfw3.h
  libgl-dev=/usr/include/GL/gl.h
)
PACKAGES_weights=(maven=mvn default-jre-headless=java)
PACKAGES_tests=(
  clang-19=clang++-19 libclang-rt-19-dev='/usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.fuzzer-*.a'
  chromium=chromium firefox-esr=firefox-esr
  xvfb=Xvfb xauth=xauth libgl1-mesa-dri='/usr/lib/*/dri/swrast_dri.so' fonts-dejavu-core='/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'
  imagemagick=import
)

present() {
  case $1 in
    /*) compgen -G "$1" >/dev/null ;;
    python:*) python3 -c "import ${1#python:}" 2>/dev/null ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

# install_packages GROUP...: build, weights, tests.
install_packages() {
  local STEP=packages group entry wanted=() missing=()
  for group in "$@"; do
    local -n list="PACKAGES_$group"
    for entry in "${list[@]}"; do present "${entry#*=}" || missing+=("${entry%%=*}"); done
  done
  [ "${#missing[@]}" -gt 0 ] || return 0
  command -v apt-get >/dev/null || die "this machine has no apt-get: install the equivalents of these Debian packages by hand: ${missing[*]}"
  [ "$(id -u)" -eq 0 ] || die "some Debian packages are missing: run 'sudo apt-get install --no-install-recommends ${missing[*]}', then this again."
  need_space /var/cache 2500 'installing packages'
  say "installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  dpkg --configure -a || die "dpkg was interrupted earlier and cannot finish: run 'dpkg --configure -a' and read what it says."
  # Without Error-Mode an update that reached nothing counts as done.
  apt-get -o APT::Update::Error-Mode=any update || die "apt-get could not reach the package mirror: check the network, then run this again."
  apt-get install -y --no-install-recommends -o Acquire::Retries=3 "${missing[@]}" \
    || die "apt-get could not install the packages (its reason is above): run this again, what it has fetched is kept."
}
