#!/usr/bin/env bash
# Starts the replica of compose.yaml: copies the primary when the volume is new, then follows it.
set -euo pipefail
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # An interrupted copy must not look like a whole one.
  rm -rf "$PGDATA.new" && mkdir -p "$(dirname "$PGDATA")"
  pg_basebackup --host "$PRIMARY_HOST" --port "${PRIMARY_PORT:-5432}" --username replica --pgdata "$PGDATA.new" \
    --checkpoint fast --wal-method stream --write-recovery-conf
  rm -rf "$PGDATA" && mv "$PGDATA.new" "$PGDATA"
fi
exec postgres "$@"
