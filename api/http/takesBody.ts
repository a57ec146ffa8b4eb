/** Whether parameters outside the path come in a JSON body rather than in the query. */
export function takesBody({ method }: { method: string }): boolean {
  return method === 'POST' || method === 'PATCH'
}
