import type { Rule } from '../../format.ts'

export const additionalPropertiesWidened: Rule = {
  code: 'json.additional_properties_widened',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} take any value of properties that the schema does not name; ${who.writer} allows only ${difference.before}.`
}
