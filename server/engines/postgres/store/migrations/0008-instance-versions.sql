-- The version of the tables that an instance knows: a change of the tables that an instance cannot bear waits for its end. NULL: an instance of
-- before, which knows version 8 at most.
ALTER TABLE social_data.instance ADD COLUMN tables_version int;

-- As the heartbeat of before, which instances of earlier versions still call.
CREATE FUNCTION social_data.heartbeat(given_id text, given_positions jsonb, given_connections jsonb, lease_ms int, given_version int)
RETURNS TABLE (is_leader boolean, others jsonb) LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY SELECT h.* FROM social_data.heartbeat(given_id, given_positions, given_connections, lease_ms) AS h;
  UPDATE social_data.instance SET tables_version = given_version WHERE id = given_id AND tables_version IS DISTINCT FROM given_version;
END
$$;
