# Builds for arm64 with Debian's cross compiler:
#
#     cmake -B build/cross --toolchain cmake/aarch64-linux-gnu.cmake -DASYNCPOOL_TESTS=OFF
#
# Packages: gcc-aarch64-linux-gnu, g++-aarch64-linux-gnu for the tests, and qemu-user to run them. Libraries of the
# machine that builds are not looked at.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)

set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig)

# By its name: a container has no binfmt_misc that would find it.
find_program(QEMU_AARCH64 qemu-aarch64)
if(QEMU_AARCH64)
    # Its own memory is malloc()'s: a lock of GLib's slices that another thread has is never given back in a forked child.
    set(CMAKE_CROSSCOMPILING_EMULATOR env G_SLICE=always-malloc ${QEMU_AARCH64} -L /usr/aarch64-linux-gnu)
endif()
