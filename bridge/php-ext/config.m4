dnl Async\Pool, native. See README.md; bridge/php-ext/build.sh runs phpize outside of the source.

PHP_ARG_ENABLE([asyncpool],
  [whether to enable Async\Pool],
  [AS_HELP_STRING([--enable-asyncpool], [Enable Async\Pool])])

PHP_ARG_WITH([asyncpool-include],
  [where asyncpool/pool.h is],
  [AS_HELP_STRING([--with-asyncpool-include=DIR], [asyncpool: the folder with asyncpool/pool.h])], [no], [no])

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
  if test "$PHP_ASYNCPOOL_INCLUDE" != "no"; then
    PHP_ADD_INCLUDE([$PHP_ASYNCPOOL_INCLUDE])
  fi
  if test "$PHP_ASYNCPOOL_LINK" != "no"; then
    AC_DEFINE([ASYNCPOOL_LINKED], [1], [libasyncpool is linked, not loaded at the first use])
    PHP_ADD_LIBRARY_WITH_PATH([asyncpool], [$PHP_ASYNCPOOL_LINK], [ASYNCPOOL_SHARED_LIBADD])
    PHP_SUBST([ASYNCPOOL_SHARED_LIBADD])
  fi
  PHP_NEW_EXTENSION([asyncpool],
    [asyncpool.c breaker.c callable.c construct.c driver.c exceptions.c hooks.c key.c library.c loop.c object.c op.c operations.c pool.c pool_ref.c scheduler.c store.c table.c teardown.c undisturbed.c],
    [$ext_shared],, [$ASYNCPOOL_CFLAGS])
  PHP_INSTALL_HEADERS([ext/asyncpool], [php_asyncpool.h])
fi
