dnl Async\Pool, native: phpize && ./configure && make && make install. See README.md; build.sh does it outside of the
dnl source.

PHP_ARG_ENABLE([asyncpool],
  [whether to enable Async\Pool],
  [AS_HELP_STRING([--enable-asyncpool], [Enable Async\Pool])])

PHP_ARG_WITH([asyncpool-include],
  [where asyncpool/pool.h is],
  [AS_HELP_STRING([--with-asyncpool-include=DIR],
    [asyncpool: the folder with asyncpool/pool.h; else the checkout in which this lies, pkg-config, /usr/local])],
  [no], [no])

PHP_ARG_WITH([asyncpool-link],
  [whether to link with libasyncpool],
  [AS_HELP_STRING([--with-asyncpool-link=DIR],
    [asyncpool: link with the libasyncpool.so in DIR instead of loading it at the first use; not for hosts that fork])],
  [no], [no])

PHP_ARG_ENABLE([asyncpool-werror],
  [whether warnings are errors],
  [AS_HELP_STRING([--enable-asyncpool-werror], [asyncpool: for developers: warnings are errors])], [no], [no])

if test "$PHP_ASYNCPOOL" != "no"; then
  ASYNCPOOL_CFLAGS="-std=gnu11 -Wall -Wextra -Wno-unused-parameter -fvisibility=hidden -DZEND_ENABLE_STATIC_TSRMLS_CACHE=1"
  if test "$PHP_ASYNCPOOL_WERROR" != "no"; then
    ASYNCPOOL_CFLAGS="$ASYNCPOOL_CFLAGS -Werror"
  fi
  AC_MSG_CHECKING([for asyncpool/pool.h])
  if test "$PHP_ASYNCPOOL_INCLUDE" != "no"; then
    asyncpool_places=$PHP_ASYNCPOOL_INCLUDE
  else
    asyncpool_places="$abs_srcdir/../../include `${PKG_CONFIG:-pkg-config} --variable=includedir asyncpool 2>/dev/null`"
    asyncpool_places="$asyncpool_places /usr/local/include /usr/include"
  fi
  asyncpool_include=
  for asyncpool_place in $asyncpool_places; do
    if test -r "$asyncpool_place/asyncpool/pool_api.h"; then
      asyncpool_include=$asyncpool_place
      break
    fi
  done
  if test -z "$asyncpool_include"; then
    AC_MSG_RESULT([not in $asyncpool_places])
    AC_MSG_ERROR([the headers of asyncpool are missing: install the library (make install), or name their folder by --with-asyncpool-include=DIR])
  fi
  AC_MSG_RESULT([$asyncpool_include])
  PHP_ADD_INCLUDE([$asyncpool_include])
  if test "$PHP_ASYNCPOOL_LINK" != "no"; then
    AC_DEFINE([ASYNCPOOL_LINKED], [1], [libasyncpool is linked, not loaded at the first use])
    PHP_ADD_LIBRARY_WITH_PATH([asyncpool], [$PHP_ASYNCPOOL_LINK], [ASYNCPOOL_SHARED_LIBADD])
    PHP_SUBST([ASYNCPOOL_SHARED_LIBADD])
  fi
  PHP_NEW_EXTENSION([asyncpool],
    [asyncpool.c breaker.c budget.c callable.c construct.c coroutine.c driver.c exceptions.c fiber_loop.c functions.c hooks.c key.c library.c loop.c maintenance.c makers.c object.c op.c operations.c options.c period.c pool.c pool_ref.c revolt_loop.c runtime.c scheduler.c stats.c store.c table.c teardown.c timers.c together.c undisturbed.c wait_loop.c watchers.c],
    [$ext_shared],, [$ASYNCPOOL_CFLAGS])
  PHP_INSTALL_HEADERS([ext/asyncpool], [php_asyncpool.h])
fi
