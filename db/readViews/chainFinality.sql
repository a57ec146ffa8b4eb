-- Up to which block each served chain is final, without the rest of `read.chain_progress`.
create view read.chain_finality as
select h.chain_id, greatest(h.block_number - c.finality_depth, 0) as finalized_block
from read.chain_head h
join read.chain c using (chain_id)
