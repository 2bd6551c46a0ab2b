/** Prices and availability by supplier and market. On a narrow screen each row becomes a card. */
import { useState } from "preact/hooks";
import { useFormats, useTexts } from "../../shared/core/texts.ts";
import type { Shown } from "../record/fields.ts";
import { TEXTS } from "../texts.ts";
import { Aside, ExternalLink, Facts, Section, Value } from "../ui/shown.tsx";
import type { BookView } from "../view/book-view.ts";
import { isAvailable, type OfferView, orderedDates, type PriceView } from "../view/supply.ts";

/** A book for many markets has a hundred prices. */
const FOLDED_FROM = 10;

export function Prices({ view }: { view: BookView }) {
  const texts = useTexts(TEXTS);
  const formats = useFormats();
  const [isOpen, setIsOpen] = useState(false);
  if (view.offers.length === 0) return null;
  const rows = view.offers.flatMap(rowsOf);
  const isLong = rows.length > FOLDED_FROM;
  const hasDates = rows.some(({ price }) => price && price.dates.length > 0);
  return (
    <Section id="prices" title={texts.prices}>
      <table class={`prices ${isLong && !isOpen ? "prices-folded" : ""}`}>
        <caption class="visually-hidden">{texts.prices}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.supplier}</th>
            <th scope="col">{texts.market}</th>
            <th scope="col">{texts.price}</th>
            <th scope="col">{texts.priceType}</th>
            {hasDates && <th scope="col">{texts.valid}</th>}
            <th scope="col">{texts.availability}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <PriceRow key={index} {...row} hasDates={hasDates} />
          ))}
        </tbody>
      </table>
      {isLong && (
        <button type="button" class="link-button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? texts.fewerPrices : `${texts.allPrices} (${formats.number(rows.length)})`}
        </button>
      )}
    </Section>
  );
}

/** An offer without a price is a row, too. */
function rowsOf(offer: OfferView): readonly Row[] {
  const prices = offer.prices.length > 0 ? offer.prices : [undefined];
  return prices.map((price, index) => ({ offer, price, isFirst: index === 0 }));
}

interface Row {
  readonly offer: OfferView;
  readonly price: PriceView | undefined;
  /** What holds for the whole offer is told once. */
  readonly isFirst: boolean;
}

function PriceRow({ offer, price, isFirst, hasDates }: Row & { hasDates: boolean }) {
  const texts = useTexts(TEXTS);
  return (
    <tr class={`${isFirst ? "offer-start" : ""} ${price?.isExpired ? "price-expired" : ""}`}>
      <th scope="row" data-label={texts.supplier}>
        <Supplier offer={offer} isFirst={isFirst} />
      </th>
      <td data-label={texts.market}>
        <Territory text={price?.territory || offer.market} />
        {isFirst && <Facts facts={offer.marketFacts} />}
      </td>
      <td data-label={texts.price} class="price-amount">
        {price?.amount ? (
          <span title={price.currency?.text}>
            <Value shown={price.amount} />
          </span>
        ) : price?.unpriced ? (
          <Value shown={price.unpriced} />
        ) : (
          <span class="muted">{texts.noPrice}</span>
        )}
      </td>
      <td data-label={texts.priceType}>
        {price?.type && <Value shown={price.type} />}
        {price && <Facts facts={price.facts} />}
      </td>
      {hasDates && (
        <td data-label={texts.valid}>
          {price?.isExpired && <span class="book-chip">{texts.expired}</span>}
          {price && price.dates.length > 0 ? <PriceDates price={price} /> : <span class="muted">—</span>}
        </td>
      )}
      <td data-label={texts.availability}>
        {offer.availability && <Availability shown={offer.availability} />}
        {isFirst && <Facts facts={offer.facts} />}
      </td>
    </tr>
  );
}

function Supplier({ offer, isFirst }: { offer: OfferView; isFirst: boolean }) {
  const texts = useTexts(TEXTS);
  return (
    <>
      {offer.supplier ? <Value shown={offer.supplier} /> : <span class="muted">{texts.noSupplier}</span>}
      {isFirst && <Aside shown={offer.supplierRole} />}
      {isFirst &&
        offer.websites.map((link) => (
          <small key={link.url}>
            <ExternalLink link={link} />
          </small>
        ))}
    </>
  );
}

export function Availability({ shown }: { shown: Shown }) {
  return (
    <span class={`availability ${isAvailable(shown) ? "availability-yes" : ""}`}>
      <Value shown={shown} />
    </span>
  );
}

/** Lists of countries that are longer than this are folded. */
const LONG_TERRITORY = 90;

/** A territory can have two hundred countries. */
export function Territory({ text }: { text: string }) {
  const texts = useTexts(TEXTS);
  if (text === "") return <span class="muted">{texts.everywhere}</span>;
  if (text.length <= LONG_TERRITORY) return <span>{text}</span>;
  const start = text.slice(0, LONG_TERRITORY).replace(/[^,]*$/, "");
  return (
    <details class="territory">
      <summary>{start || text.slice(0, LONG_TERRITORY)} …</summary>
      {text}
    </details>
  );
}

function PriceDates({ price }: { price: PriceView }) {
  return (
    <ul class="plain">
      {orderedDates(price.dates).map(({ role, shown, machine }, index) => (
        <li key={index}>
          {role && (
            <span class="muted">
              <Value shown={role} />{" "}
            </span>
          )}
          <time dateTime={machine} title={shown!.raw}>
            {shown!.text}
          </time>
        </li>
      ))}
    </ul>
  );
}
