-- The token registry: a SQLite file beside the catalog. It has a format of its own, so that it outlives a catalog.

-- The tokens that were issued here, and those of other issuers that were revoked here.
CREATE TABLE token (
  id TEXT PRIMARY KEY, -- the claim `jti`
  name TEXT NOT NULL, -- of the client; empty for a token of another issuer
  issued TEXT NOT NULL, -- ISO 8601; the time of the revocation for a token of another issuer
  expires TEXT NOT NULL, -- ISO 8601; empty for a token of another issuer
  revoked TEXT -- ISO 8601; NULL: it is valid
) STRICT;
