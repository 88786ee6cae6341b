import { WordRoles, withLetter } from '../word-roles.ts'
import { PLAIN_LETTERS } from '../word-set.ts'

/** The months as dates name them in the languages of Europe, whole and as they are abbreviated, without accents. */
const MONTHS = `
jan janv january januar janvier januari janeiro janner jaenner enero ene gennaio gen stycznia styczen sty ledna tammikuuta tammikuu tammi ocak oca ianuarie ian января янв январь січня січ ιανουαριου ιαν
feb febr february februar fevrier fevr fev februari fevereiro febrero febbraio lutego luty lut unora helmikuuta helmikuu helmi subat sub februara февраля фев февраль лютого лют φεβρουαριου φεβ
mar march marz maerz mrz mars marzo marco maart mrt marts marca marzec brezna maaliskuuta maaliskuu maalis mart martie марта мар март березня бер μαρτιου μαρ
apr april avril avr abril abr aprile aprila kwietnia kwiecien kwi dubna huhtikuuta huhtikuu huhti nisan nis aprilie апреля апр апрель квітня кві απριλιου απρ
may mai mayo maio maggio mag maj mei maja kvetna toukokuuta toukokuu touko mayis mayıs may мая май травня тра μαιου μαι
jun june juni juin junio junho giugno giu czerwca czerwiec cze cervna kesakuuta kesakuu kesa haziran haz iunie июня июн июнь червня чер ιουνιου ιουν
jul july juli juillet juil julio julho luglio lug lipca lipiec lip cervence heinakuuta heinakuu heina temmuz tem iulie июля июл июль липня лип ιουλιου ιουλ
aug august aout agosto ago augusti augustus sierpnia sierpien sie srpna elokuuta elokuu elo agustos agu augusztus августа авг август серпня сер αυγουστου αυγ
sep sept september septembre septiembre setiembre setembro set settembre wrzesnia wrzesien wrz zari syyskuuta syyskuu syys eylul eyl szeptember septembrie сентября сен сент сентябрь вересня вер σεπτεμβριου σεπ
oct october oktober okt octobre octubre outubro out ottobre ott pazdziernika pazdziernik paz rijna lokakuuta lokakuu loka ekim eki octombrie октября окт октябрь жовтня жов οκτωβριου οκτ
nov november novembre noviembre novembro listopada listopad lis listopadu marraskuuta marraskuu marras kasim kasım kas noiembrie ноября ноя ноябрь листопада лис νοεμβριου νοε
dec december decembre dezember dez dezembro diciembre dic dicembre desember des grudnia grudzien gru prosince joulukuuta joulukuu joulu aralik aralık ara decembrie декабря дек декабрь грудня гру δεκεμβριου δεκ
`

/** Words that stand beside them. */
const BESIDE = 'de del den di of the st nd rd th er г р'

/** What a word of a date may be. */
export const MONTH = 1
const BESIDE_MONTH = 2
export const MONTH_ROLES = new WordRoles()
for (const [role, words] of [
  [MONTH, MONTHS],
  [BESIDE_MONTH, BESIDE]
] as const) {
  for (const word of words.trim().split(/\s+/)) {
    let number = 0
    for (let at = 0; at < word.length; at++) number = withLetter(number, PLAIN_LETTERS[word.charCodeAt(at)] as number)
    MONTH_ROLES.add(number, role)
  }
}
