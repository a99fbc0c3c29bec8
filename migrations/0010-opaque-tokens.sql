-- Opaque tokens, which are looked up by their hash instead of being signed. The hash is the SHA-256 of
-- the token's text, in hexadecimal. NULL is a signed token.

ALTER TABLE api_token ADD COLUMN token_hash text UNIQUE CHECK (token_hash ~ '^[0-9a-f]{64}$');
