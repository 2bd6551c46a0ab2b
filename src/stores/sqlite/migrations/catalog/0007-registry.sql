-- 1 when the catalog has had a token registry beside it. Without the registry, revoked tokens would be valid again.
ALTER TABLE catalog ADD COLUMN has_registry INTEGER NOT NULL DEFAULT 0;
