import type { Rule } from '../../format.ts'
import { at } from './words.ts'

export const additionalItemsWidened: Rule = {
  code: 'json.additional_items_widened',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} take any items ${at(difference.path)}; ${who.writer} allows only ${difference.before}.`
}
