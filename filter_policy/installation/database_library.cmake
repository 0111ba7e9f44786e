# The library of a database, static and shared.

# Sets VARIABLE to whether the library of TARGET is a static one.
function(oneline_is_static target variable)
  get_target_property(type ${target} TYPE)
  get_target_property(file ${target} IMPORTED_LOCATION)
  if(type STREQUAL "STATIC_LIBRARY" OR file MATCHES "\\.a$")
    set(${variable} ON PARENT_SCOPE)
  else()
    set(${variable} OFF PARENT_SCOPE)
  endif()
endfunction()

# Links TARGET to DATABASE, and everybody who links to TARGET. A program that
# only knows the policy's name refers to nothing of ours: LINK_OPTIONS keep what
# registers the name.
function(oneline_interface target database link_options)
  target_link_libraries(${target} PUBLIC ${database})
  target_compile_features(${target} PUBLIC cxx_std_${CMAKE_CXX_STANDARD})
  target_include_directories(${target} PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/filter_policy/include>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_link_options(${target} INTERFACE ${link_options})
endfunction()

# TARGET, libTARGET.so, of OBJECTS and sources, which exports what the version
# script says.
function(oneline_shared_library target database flags exports)
  add_library(${target} SHARED ${ARGN})
  set_target_properties(${target} PROPERTIES
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    LINK_DEPENDS "${exports}")
  # Some distributions' compilers pass --as-needed.
  oneline_interface(${target} ${database} "LINKER:--no-as-needed")
  target_compile_options(${target} PRIVATE ${flags})
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:oneline_build>
    ${CMAKE_DL_LIBS})
  # A missing symbol is found here and not in somebody's database.
  target_link_options(${target} PRIVATE "LINKER:--no-undefined"
    "LINKER:--version-script=${exports}")
endfunction()

# FILE and FILE_static: libFILE.so and libFILE.a, exported as oneline::NAME and
# oneline::NAME_static. Without a shared library oneline::NAME is the static one.
#   DATABASE          target to link to; DATABASE_LIBRARY: that of the library
#   FLAGS             of the compiler
#   EXPORTS           what the shared library exports: a version script
#   ROOT              function that is linked into every program
#   PRELOAD           another shared library, libPRELOAD.so, not to be linked to:
#                     of the same and PRELOAD_SOURCES, exports PRELOAD_EXPORTS
#   SOURCES           of all libraries
function(oneline_library file name)
  cmake_parse_arguments(PARSE_ARGV 2 A ""
    "DATABASE;DATABASE_LIBRARY;FLAGS;EXPORTS;ROOT;PRELOAD;PRELOAD_EXPORTS"
    "SOURCES;PRELOAD_SOURCES")
  add_library(${file}_objects OBJECT ${A_SOURCES})
  set_target_properties(${file}_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${file}_objects PRIVATE ${A_FLAGS})
  target_link_libraries(${file}_objects PRIVATE oneline_build ${A_DATABASE})
  set(objects
    $<TARGET_OBJECTS:oneline_core> $<TARGET_OBJECTS:${file}_objects>)

  add_library(${file}_static STATIC ${objects})
  set_target_properties(${file}_static PROPERTIES
    OUTPUT_NAME ${file} EXPORT_NAME ${name}_static)
  # Of a static library the linker takes only what something refers to.
  set(root "")
  if(A_ROOT)
    set(root "LINKER:-u,${A_ROOT}")
  endif()
  oneline_interface(${file}_static ${A_DATABASE} "${root}")
  target_link_libraries(${file}_static PUBLIC ${CMAKE_DL_LIBS})
  add_library(oneline::${name}_static ALIAS ${file}_static)
  set(targets ${file}_static)

  # A shared library with a database in it would give a program two of them.
  oneline_is_static(${A_DATABASE_LIBRARY} is_static)
  if(is_static)
    message(STATUS "${A_DATABASE_LIBRARY} is a static library, so there will be "
      "no lib${file}.so")
  endif()
  if(ONELINE_SHARED AND NOT is_static)
    oneline_shared_library(${file} ${A_DATABASE} "${A_FLAGS}" "${A_EXPORTS}"
      ${objects})
    set_target_properties(${file} PROPERTIES EXPORT_NAME ${name})
    add_library(oneline::${name} ALIAS ${file})
    list(APPEND targets ${file})
    if(A_PRELOAD)
      oneline_shared_library(${A_PRELOAD} ${A_DATABASE} "${A_FLAGS}"
        "${A_PRELOAD_EXPORTS}" ${objects} ${A_PRELOAD_SOURCES})
      install(TARGETS ${A_PRELOAD})
    endif()
  else()
    add_library(oneline::${name} ALIAS ${file}_static)
  endif()
  install(TARGETS ${targets} EXPORT ${file}-targets)
  install(EXPORT ${file}-targets NAMESPACE oneline::
    DESTINATION "${oneline_package_dir}")
endfunction()
