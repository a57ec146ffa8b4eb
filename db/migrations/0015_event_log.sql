-- Up Migration
-- The time of an organization's newest event: times ascend with the sequence, whichever worker's clock is behind.
alter table app.event_sequence add column last_at timestamptz;
-- The reads of the event log: from a time, of some types, of one resource.
create index event_by_time on app.event (organization_id, created_at, organization_sequence);
create index event_by_type on app.event (organization_id, type, organization_sequence);
create index event_by_resource on app.event (organization_id, resource, organization_sequence);

-- Down Migration
drop index app.event_by_resource, app.event_by_type, app.event_by_time;
alter table app.event_sequence drop column last_at;
