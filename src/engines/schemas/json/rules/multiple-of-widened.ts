import type { Rule } from '../../format.ts'

export const multipleOfWidened: Rule = {
  code: 'json.multiple_of_widened',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} ask for ${difference.after === undefined ? 'no multiples' : `multiples of ${difference.after}`}, and every multiple of ${difference.before} fits.`
}
