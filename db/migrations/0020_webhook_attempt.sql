-- Up Migration
-- The newest attempts of a delivery: the request, without its body, which is the event's; and the answer.
create table app.webhook_attempt (
  id bigint generated always as identity,
  endpoint_id uuid not null,
  event_id text not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  -- Null if the attempt ended before a request was made.
  request_url text,
  -- Each header's value by its name.
  request_headers json,
  -- Null if no answer began.
  response_status integer,
  -- The beginning of the answer's body as text, without signing secrets.
  response_body text check (length(response_body) <= 1024),
  is_response_body_truncated boolean not null,
  -- Null if it was delivered.
  error text,
  primary key (endpoint_id, event_id, id),
  foreign key (endpoint_id, event_id) references app.webhook_delivery on delete cascade
);

-- Down Migration
drop table app.webhook_attempt;
