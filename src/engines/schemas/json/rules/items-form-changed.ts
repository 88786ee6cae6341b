import type { Rule } from '../../format.ts'

export const itemsFormChanged: Rule = {
  code: 'json.items_form_changed',
  breaks: true,
  message: (difference, who) =>
    `${difference.before === 'tuple' ? `Items are described by position in ${who.writer} and all alike in ${who.reader}` : `Items are described all alike in ${who.writer} and by position in ${who.reader}`}, so that readers may refuse some.`
}
