-- The role that the service's own login is a member of. It owns nothing and changes no table's shape;
-- every later migration grants it exactly the rights that the service needs.

DO $$
BEGIN
  CREATE ROLE leadline_runtime NOLOGIN;
EXCEPTION
  -- Roles belong to the whole server, which may hold other databases of ours.
  WHEN duplicate_object OR unique_violation THEN NULL;
END
$$;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO leadline_runtime;

-- Functions are granted one by one, as tables are.
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
