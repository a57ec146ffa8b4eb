/** The SQLSTATE of a read of what a chain's served build does not have yet. */
export const NOT_INDEXED_STATE = 'CW001'

/**
 * `read.not_indexed(chain, fact)`: stands for a table that a chain's served build lacks, and fails as soon
 * as a row of it is asked for. Without rows, lists would silently lack what the chain has.
 */
export const notIndexedFunction = `
  create or replace function read.not_indexed(chain integer, fact text) returns setof record
  language plpgsql stable as $$ begin
    raise exception 'the index of chain % has no table % yet', chain, fact
      using errcode = '${NOT_INDEXED_STATE}';
  end $$`
