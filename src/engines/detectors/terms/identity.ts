import type { Terms } from './terms.ts'

export const NATIONAL_ID: Terms = {
  for: [
    'ssn*, social security*, social sec*, soc sec*, socsec*, social insurance*, nino, national insurance*, ni number, ni no, nhs*, tax id*, taxid*, taxpayer id*, tax file*, tin, national id*, ' +
      'nationalid*, nat id*, natid, citizen id*, id number, identity number, identity no, identification number, id card*, idcard*, government id*, govt id, personal id*, personal number, ' +
      'personal code, insurance number, sa id, resident id*, sin, tfn, pps, ppsn, nric, fin no, hkid',
    'steuer id*, steuerid*, steuer identifikationsnummer, steueridentnr*, idnr, sozialversicherung*, sv nummer, sv nr, svnr, rentenversicherungs*, rvnr, ahv*, avs*, personalausweis*, ausweisnr, ausweisnummer',
    'nir, sécurité sociale, sécu, numéro sécu*, insee, registre national, niss, numéro fiscal, numéro national',
    'dni, nie, nif, documento identidad, número identidad, cédula*, curp, rut, cuit, cuil, codice fiscale, codicefiscale, cod fisc*, codfisc*, cod fiscale, cf, cpf*, contribuinte, número contribuinte, cartão cidadão',
    'bsn*, burgerservicenummer*, rijksregister*, rrn, insz, pesel*, personnummer*, personnr, person nr, persnr, pnr, samordningsnummer, cpr*, fødselsnummer*, fødselsnr, fnr, kennitala',
    'hetu*, henkilötunnus*, hlötunnus, sotu, isikukood, asmens kodas, personas kods, tckn*, tc kimlik*, kimlik*, tc no, tcno, vatandaşlık no, rodné číslo, rodné č, egn, emšo, jmbg, oib, cnp*, taj',
    'aadhaar*, aadhar*, adhaar*, uidai, pan no, pan number, pan card',
    'αφμ, αμκα, αριθμός ταυτότητας, afm, amka, снилс, инн, іпн, рнокпп, паспорт*, snils, inn',
    '身份证, 身份证号, 身份证号码, 证件号, 证件号码, 身分證, 身分證字號, 個人番号, マイナンバー, 주민등록번호, 주민번호, 외국인등록번호, jumin*, shenfenzheng*, sfz, sfzh'
  ],
  against: [
    'siren, siret, ean*, upc, gtin, isbn, imei, order*, invoice*, sku, part, serial*, tracking*, batch, lot, vat, ticket*, article*, product*, asset, epoch, unix, shipment*, transaction*, account'
  ]
}

export const BIRTH_DATE: Terms = {
  for: [
    'birth*, *birthdate, *birthday, dob*, *dob, d o b, bdate, bday, bdt, brthdt, born*, natal',
    'geburt*, *geburtsdatum, *geburtstag, gebdat*, geb dat*, gebdt*, geb dt, gebtag, geb tag, geb am, geb, geboren*, gbdat',
    'naissance, date naiss*, dt naiss*, datenaiss*, ddn, né le, née le, né e le, nacimiento, fec nac*, fecha nac*, fecnac*, fechanac*, fch nac*, f nac*, fnac, cumpleaños',
    'nascita, data nasc*, datanasc*, dt nasc*, dtnasc*, nato il, nata il, nascimento, nasc, aniversário',
    'urodz*, data ur, dataur*, data urodzenia, geboorte*, gebdatum, födelse*, född*, fødsel*, født*, fødselsdato, syntymä*, synt aika, syntaika, synt pvm',
    'doğum*, narození*, datum nar*, dat nar*, datnar*, narodenia, narodenie, születés*, szül idő, szül dátum, naștere*, nașterii, rođenja, datum rod*',
    'γέννησης, γέννηση, ημ γεν*, γεννηθείς, рождения, рожд*, др, д р, народження, дата нар*, раждане',
    '出生日期, 出生年月, 出生年月日, 出生, 生日, 生年月日, 誕生日, 생년월일, 생일, 출생일, shengri, chusheng*, seinengappi, tanjobi, saengnyeonwolil, saengil, rozhdeniya'
  ],
  against: [
    'created*, updated*, modified*, registered*, issued*, expiry, expires, certificate, order*, hire*, start, end, login'
  ],
  lastly: ['birth date, date of birth, geburtsdatum']
}
