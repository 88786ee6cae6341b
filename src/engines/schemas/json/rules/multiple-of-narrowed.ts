import type { Rule } from '../../format.ts'

export const multipleOfNarrowed: Rule = {
  code: 'json.multiple_of_narrowed',
  breaks: true,
  message: (difference, who) =>
    `Numbers that are no multiples of ${difference.after} are allowed by ${who.writer}${difference.before === undefined ? '' : `, which asks for multiples of ${difference.before}`}, and refused by readers of ${who.reader}.`
}
