-- Behind a pooler a session has no limits of its own: a transaction that takes the lock of a log sets those by which the database notices
-- that its client is gone.

-- Takes the lock of a log until the end of the transaction. Reads after it see all commits before it.
CREATE OR REPLACE FUNCTION social_data.lock_log(given_log text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  began timestamptz := clock_timestamp();
BEGIN
  PERFORM set_config('lock_timeout', '2s', true),
          set_config('idle_in_transaction_session_timeout', '5s', true),
          set_config('tcp_keepalives_idle', '10', true),
          set_config('tcp_keepalives_interval', '5', true),
          set_config('tcp_keepalives_count', '3', true),
          set_config('tcp_user_timeout', '20000', true);
  PERFORM pg_advisory_xact_lock(hashtextextended('social_data.change/' || given_log, 0));
  PERFORM set_config('social_data.lock_wait_ms', (extract(epoch FROM clock_timestamp() - began) * 1000)::text, true);
END
$$;

-- The session that holds the lock of a log: what it has done so far, and whether it waits for its client. Empty where no session of this role
-- holds it.
CREATE FUNCTION social_data.lock_holder(given_log text) RETURNS TABLE (pid int, progress text, waits boolean)
LANGUAGE sql AS $$
  SELECT a.pid,
    concat_ws(' ', a.pid, a.backend_start, a.xact_start, a.query_start, a.state_change, p.bytes_processed, p.tuples_processed),
    coalesce(a.wait_event_type = 'Client', false)
  FROM pg_locks l JOIN pg_stat_activity a USING (pid) LEFT JOIN pg_stat_progress_copy p USING (pid)
  WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND (l.classid::bigint << 32) | l.objid::bigint = hashtextextended('social_data.change/' || given_log, 0)
    AND a.usename = current_user AND a.pid <> pg_backend_pid()
$$;
