import type { Rule } from '../../format.ts'
import { at } from './words.ts'

export const additionalItemsNarrowed: Rule = {
  code: 'json.additional_items_narrowed',
  breaks: true,
  message: (difference, who) =>
    `Items may be anything by ${who.writer} ${at(difference.path)}, but only ${difference.after} for readers of ${who.reader}.`
}
