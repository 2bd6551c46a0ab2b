#!/usr/bin/env bash
# Runs once, when the primary of compose.yaml is new: a role for the replica, and the right to connect for it.
set -euo pipefail
psql --set ON_ERROR_STOP=1 --set password="$REPLICATION_PASSWORD" \
  --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
CREATE ROLE replica REPLICATION LOGIN PASSWORD :'password';
SQL
echo "host replication replica all scram-sha-256" >>"$PGDATA/pg_hba.conf"
