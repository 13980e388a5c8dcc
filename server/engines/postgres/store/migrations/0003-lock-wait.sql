-- The time that a writer waits for the lock of a log: a statement reads it in `social_data.lock_wait_ms` after the lock.

-- Takes the lock of a log until the end of the transaction. Reads after it see all commits before it.
CREATE OR REPLACE FUNCTION social_data.lock_log(given_log text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  began timestamptz := clock_timestamp();
BEGIN
  PERFORM set_config('lock_timeout', '2s', true),
          set_config('idle_in_transaction_session_timeout', '5s', true);
  PERFORM pg_advisory_xact_lock(hashtextextended('social_data.change/' || given_log, 0));
  PERFORM set_config('social_data.lock_wait_ms', (extract(epoch FROM clock_timestamp() - began) * 1000)::text, true);
END
$$;
