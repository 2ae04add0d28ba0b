# Build options and the flags every target gets.

option(KUEUE_MUTATIONS "rules of the decision can be broken on purpose (tests/mutation)" OFF)
option(KUEUE_FUZZ "build the libFuzzer targets (clang only)" OFF)
set(KUEUE_SANITIZE "" CACHE STRING "value for -fsanitize=, for example address,undefined")

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT DEFINED ENV{KUEUE_NO_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_NOHASHDIR=1 CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} ${CCACHE_PROGRAM})
endif()

add_library(kueue_flags INTERFACE)
# Everywhere, so that all translation units can share one precompiled header.
target_compile_options(kueue_flags INTERFACE -pthread)
target_link_options(kueue_flags INTERFACE -pthread)
target_compile_options(kueue_flags INTERFACE
  -Wall -Wextra -Werror -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
  -ffp-contract=off -fno-omit-frame-pointer)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # ccache needs it to cache translation units that use a precompiled header.
  # g++ 12 sees bounds broken in std::string's own code where strings are joined.
  target_compile_options(kueue_flags INTERFACE -fpch-preprocess -Wno-array-bounds -Wno-restrict
    -Wno-stringop-overflow)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  target_compile_options(kueue_flags INTERFACE -Wthread-safety -Xclang -fno-pch-timestamp)
endif()
if(KUEUE_SANITIZE)
  target_compile_options(kueue_flags INTERFACE -fsanitize=${KUEUE_SANITIZE})
  target_link_options(kueue_flags INTERFACE -fsanitize=${KUEUE_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The sanitizers' instrumentation makes gcc see paths that do not exist.
    target_compile_options(kueue_flags INTERFACE -Wno-maybe-uninitialized -Wno-tsan)
  endif()
endif()
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  target_link_options(kueue_flags INTERFACE -fuse-ld=mold)
endif()
target_include_directories(kueue_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)
