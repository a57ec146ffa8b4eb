/** The SQLSTATE of a read of a table that a chain's served build does not have yet. */
export const NOT_INDEXED_STATE = 'CW001'

/**
 * `read.not_indexed(chain, fact)`: replaces a table that a chain's served build lacks, and fails when a
 * row of it is read. An empty result instead would leave the chain's rows out of lists silently.
 */
export const notIndexedFunction = `
  create or replace function read.not_indexed(chain integer, fact text) returns setof record
  language plpgsql stable as $$ begin
    raise exception 'the index of chain % has no table % yet', chain, fact
      using errcode = '${NOT_INDEXED_STATE}';
  end $$`
