/** Whether `Accept` names `text/csv`, and nothing that this API answers is preferred to it. Wildcards mean JSON. */
export function wantsCsv(accept: string | undefined): boolean {
  const ranges = (accept ?? '').split(',').map(readRange)
  const qualityOf = (type: string) => ranges.find((range) => range.type === type)?.quality ?? 0
  const csv = qualityOf('text/csv')
  return csv > 0 && csv >= qualityOf('application/json')
}

function readRange(text: string): { type: string; quality: number } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const given = parameters.find((parameter) => parameter.startsWith('q='))
  return { type, quality: given === undefined ? 1 : Number(given.slice(2)) || 0 }
}
