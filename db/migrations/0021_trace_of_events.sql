-- Up Migration
-- The traceparent (W3C Trace Context) of the request or job that recorded an event; null if nothing was traced.
alter table app.event add column trace_parent text check (length(trace_parent) <= 55);

-- Down Migration
alter table app.event drop column trace_parent;
