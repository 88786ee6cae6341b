export const DEFAULT_TITLE = `{{ kind | upper }}: {{ ruleName }}{{#where}} ({{ where }}){{/where}}{{#others}} and {{ others }} more{{/others}}`

/** What, where, since when, value and threshold, link. */
export const DEFAULT_TEXT = `{{#alerts}}
{{ ruleName }} is {{ state }}{{#where}} at {{ where }}{{/where}}
{{#annotations.summary}}
{{ annotations.summary }}
{{/annotations.summary}}
Since {{ startedAt | time: 'UTC' }}{{#resolvedAt}} until {{ resolvedAt | time: 'UTC' }}{{/resolvedAt}} ({{ activeSeconds | duration }}){{#resolveReason}}, {{ resolveReason }}{{/resolveReason}}
{{#cause}}
No value: {{ cause }}
{{/cause}}
{{#value}}
Value {{ value | round: 3 }}{{#threshold}}, threshold {{ operator }} {{ threshold | round: 3 }}{{/threshold}}{{#resolvedAt}}, when it fired{{/resolvedAt}}
{{/value}}
{{#note}}
Note: {{ note }}
{{/note}}
{{#link}}
{{ link }}
{{/link}}

{{/alerts}}
{{#more}}
and {{ more }} more
{{/more}}
`
