# add_component(NAME n SOURCES ... [TESTS ...] [DEPS ...] [LIBS ...] [TEST_LIBS ...])
#
# makes the library kueue_<n>, its test n_test, a link test (an empty program that links the whole
# archive with the declared dependencies only, so an undeclared use fails to link) and a target
# that compiles every header on its own. DEPS are components and must stand in layers.cmake;
# LIBS are outside libraries.

add_custom_target(check_headers)

# One precompiled header of standard headers for all components: the standard library is most of
# what a small translation unit compiles.
file(WRITE ${CMAKE_BINARY_DIR}/pch_anchor.cc "")
add_library(kueue_pch OBJECT ${CMAKE_BINARY_DIR}/pch_anchor.cc)
target_link_libraries(kueue_pch PUBLIC kueue_flags)
target_precompile_headers(kueue_pch PRIVATE
  <algorithm> <array> <chrono> <cstdint> <functional> <map> <memory> <optional> <set> <span>
  <string> <string_view> <unordered_map> <utility> <variant> <vector>)

function(add_component)
  cmake_parse_arguments(C "" "NAME" "SOURCES;TESTS;DEPS;LIBS;TEST_LIBS" ${ARGN})
  if(NOT DEFINED KUEUE_LAYER_${C_NAME})
    message(FATAL_ERROR "component ${C_NAME} is not in cmake/layers.cmake")
  endif()
  foreach(dep ${C_DEPS})
    if(NOT dep IN_LIST KUEUE_LAYER_${C_NAME})
      message(FATAL_ERROR "${C_NAME} may not use ${dep}: see cmake/layers.cmake")
    endif()
  endforeach()
  list(TRANSFORM C_DEPS PREPEND kueue_ OUTPUT_VARIABLE dep_targets)

  add_library(kueue_${C_NAME} STATIC ${C_SOURCES})
  target_link_libraries(kueue_${C_NAME} PUBLIC kueue_flags ${dep_targets} ${C_LIBS})
  target_precompile_headers(kueue_${C_NAME} REUSE_FROM kueue_pch)

  if(C_TESTS)
    add_executable(${C_NAME}_test ${C_TESTS})
    target_link_libraries(${C_NAME}_test PRIVATE kueue_${C_NAME} ${C_TEST_LIBS} GTest::gtest GTest::gmock GTest::gtest_main)
    target_precompile_headers(${C_NAME}_test REUSE_FROM kueue_pch)
    add_test(NAME ${C_NAME} COMMAND ${C_NAME}_test)
  endif()

  set(main ${CMAKE_CURRENT_BINARY_DIR}/${C_NAME}_link_main.cc)
  file(WRITE ${main} "int main() { return 0; }\n")
  add_executable(${C_NAME}_link_test ${main})
  target_link_libraries(${C_NAME}_link_test PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,kueue_${C_NAME}>)
  add_test(NAME ${C_NAME}_links_with_declared_dependencies_only COMMAND ${C_NAME}_link_test)

  file(GLOB_RECURSE headers RELATIVE ${CMAKE_SOURCE_DIR}/src CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
  set(checks "")
  foreach(header ${headers})
    string(MAKE_C_IDENTIFIER ${header} id)
    set(tu ${CMAKE_CURRENT_BINARY_DIR}/header_${id}.cc)
    file(GENERATE OUTPUT ${tu} CONTENT "#include \"${header}\"\n")
    list(APPEND checks ${tu})
  endforeach()
  if(checks)
    add_library(${C_NAME}_headers OBJECT EXCLUDE_FROM_ALL ${checks})
    target_link_libraries(${C_NAME}_headers PRIVATE kueue_${C_NAME})
    add_dependencies(check_headers ${C_NAME}_headers)
  endif()
endfunction()
