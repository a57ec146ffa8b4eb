/** Nodes that are being started at once. If one does not start, the others end, and this throws why. */
export async function startTogether<Node extends { stop(): Promise<unknown> }>(
  starting: Promise<Node>[],
): Promise<Node[]> {
  const outcomes = await Promise.allSettled(starting)
  const started = outcomes.flatMap((outcome) =>
    outcome.status === 'fulfilled' ? outcome.value : [],
  )
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (!failed) return started
  await Promise.all(started.map((node) => node.stop()))
  throw failed.reason
}
