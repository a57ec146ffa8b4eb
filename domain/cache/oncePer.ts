/** What is made of an object, once for as long as the object lives. For objects that do not change, such as an address book. */
export function oncePer<Of extends object, Made extends NonNullable<unknown>>(
  make: (of: Of) => Made,
): (of: Of) => Made {
  const made = new WeakMap<Of, Made>()
  return (of) => {
    const known = made.get(of) ?? make(of)
    made.set(of, known)
    return known
  }
}
