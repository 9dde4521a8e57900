mod debian/asyncpool.ini
mod build/php-ext/asyncpool.so
