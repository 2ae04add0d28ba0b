# Libraries from Debian packages (docs/decisions/0002-dependencies.md says why each).

find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED COMPONENTS json url container)
find_package(OpenSSL REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(spdlog REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)
find_package(prometheus-cpp CONFIG REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(RE2 REQUIRED IMPORTED_TARGET re2)

# The allocator of programs whose speed matters: the decision makes and drops many small objects.
# Not under a sanitizer, which brings its own.
find_library(MIMALLOC_LIBRARY mimalloc REQUIRED)
function(use_fast_allocator target)
  if(KUEUE_SANITIZE OR KUEUE_FUZZ)
    return()
  endif()
  # Nothing names a symbol of it: it takes the place of malloc.
  target_link_options(${target} PRIVATE -Wl,--no-as-needed ${MIMALLOC_LIBRARY} -Wl,--as-needed)
endfunction()
