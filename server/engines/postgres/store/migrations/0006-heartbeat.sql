-- Citus needs a conflict without a function: the heartbeat reads the clock once.

-- Notes that an instance is alive, and takes or keeps the leadership if nobody else has it. Returns the connections of
-- the other living instances, and whether this one leads.
CREATE OR REPLACE FUNCTION social_data.heartbeat(given_id text, given_positions jsonb, given_connections jsonb, lease_ms int)
RETURNS TABLE (is_leader boolean, others jsonb) LANGUAGE plpgsql AS $$
DECLARE
  now_at timestamptz := clock_timestamp();
BEGIN
  INSERT INTO social_data.instance AS i (id, seen_at, positions, connections)
    VALUES (given_id, now_at, given_positions, given_connections)
    ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, positions = excluded.positions,
      connections = excluded.connections;
  INSERT INTO social_data.lease AS l (name, holder, until)
    VALUES ('leader', given_id, now_at + lease_ms * interval '1 millisecond')
    ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
      WHERE l.holder = excluded.holder OR l.until < now_at;
  is_leader := FOUND;
  DELETE FROM social_data.instance WHERE seen_at < now_at - interval '1 hour';
  others := (SELECT coalesce(jsonb_agg(connections), '[]'::jsonb) FROM social_data.instance
    WHERE id <> given_id AND seen_at > now_at - interval '5 seconds');
  RETURN NEXT;
END
$$;
