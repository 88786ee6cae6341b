const LONGEST = 40

/** The form of a value with none of its letters and digits: `Ada.King@x.org 7` is `Aaaa.Aaaa@a.aaa 9`. */
export function masked(value: string): string {
  const form = value
    .slice(0, LONGEST)
    .replace(/[0-9]/g, '9')
    .replace(/[A-Z]/g, 'A')
    .replace(/[^ -@[-`{-~A]/g, 'a')
  return value.length > LONGEST ? `${form}…` : form
}
