import type { Terms } from './terms.ts'

export const PAYMENT_CARD: Terms = {
  for: [
    'card*, credit card, cc, ccn, creditcard*, pan, cardno*, kreditkarte*, kartennummer, kartennr, kartennr, *kartennummer, carte, carte bancaire, numéro carte, tarjeta*',
    'cartão*, carta credito, numero carta, kortnummer, kortnr, karta, numer karty, kaartnummer, korttinumero, kart no, kart numarası, číslo karty, αριθμός κάρτας',
    'номер карты, номер картки, карта, 卡号, 银行卡号, 信用卡号, 银行卡, 卡號, カード番号, クレジットカード番号, 카드번호, 신용카드번호'
  ],
  against: ['imei, iccid, tracking*, order*, invoice*, serial*, ean, gtin, barcode, loyalty']
}

export const IBAN: Terms = {
  for: [
    'iban*, *iban, bank account, account number, bankkonto, kontonummer, kontonr, konto, compte, rib, cuenta*, conto*, conta bancária, rekening*, numer konta, nr konta',
    'rachunek*, tilinumero, bankgiro, hesap no, číslo účtu, účet, számlaszám, αριθμός λογαριασμού, λογαριασμός, номер счета, счет, рахунок, номер рахунку',
    '账号, 银行账号, 账户, 帳號, 口座番号, 口座, 계좌번호, 계좌'
  ]
}
