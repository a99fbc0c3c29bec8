-- A public token that is restricted to origins need not expire: it is built into apps that are shipped,
-- and ends only when it is revoked. NULL is such a token.

ALTER TABLE api_token ALTER COLUMN expires_at DROP NOT NULL;
