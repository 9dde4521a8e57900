# What is installed, the package for find_package(), also for the build tree, and `uninstall`.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(PROGRAMS ${library_dir}/${library_name} DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${library_dir}/${soname} ${library_dir}/libasyncpool.so DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(ASYNCPOOL_STATIC)
    install(FILES ${library_dir}/libasyncpool.a DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(DIRECTORY include/asyncpool DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(DIRECTORY ${docs_dir}/man/man3 DESTINATION ${CMAKE_INSTALL_MANDIR} OPTIONAL
    FILES_MATCHING PATTERN "pool_*.3")
install(FILES abi/valgrind.supp DESTINATION ${CMAKE_INSTALL_DATADIR}/asyncpool)

# The pkg-config file finds the prefix from where it lies itself, so the prefix may move.
string(REGEX REPLACE "[^/]+" ".." PREFIX_FROM_PKGCONFIG "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
configure_file(abi/asyncpool.pc.in abi/asyncpool.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/abi/asyncpool.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# So does the CMake package.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/asyncpool)
set(libdir ${CMAKE_INSTALL_LIBDIR})
set(includedir ${CMAKE_INSTALL_INCLUDEDIR})
configure_package_config_file(cmake/asyncpool-config.cmake.in abi/asyncpool-config.cmake
    INSTALL_DESTINATION ${package_dir} PATH_VARS libdir includedir NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/abi/asyncpool-config-version.cmake
    COMPATIBILITY SameMajorVersion)
install(FILES
    ${PROJECT_BINARY_DIR}/abi/asyncpool-config.cmake
    ${PROJECT_BINARY_DIR}/abi/asyncpool-config-version.cmake
    DESTINATION ${package_dir})

# asyncpool_DIR may be the build tree, too; not one of several configurations, whose libraries are in folders of their own.
if(NOT multi_config)
    set(libdir ${library_dir})
    set(includedir ${PROJECT_SOURCE_DIR}/include)
    configure_package_config_file(cmake/asyncpool-config.cmake.in asyncpool-config.cmake
        INSTALL_DESTINATION ${PROJECT_BINARY_DIR} PATH_VARS libdir includedir NO_CHECK_REQUIRED_COMPONENTS_MACRO)
    configure_file(${PROJECT_BINARY_DIR}/abi/asyncpool-config-version.cmake asyncpool-config-version.cmake COPYONLY)
endif()

# A project around this one has a list of its own of what it installed.
if(PROJECT_IS_TOP_LEVEL)
    add_custom_target(uninstall
        COMMAND ${CMAKE_COMMAND} -D manifest=${PROJECT_BINARY_DIR}/install_manifest.txt
            -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake
        VERBATIM)
endif()
