/** The price and the availability for the reader's country. */
import { useTranslations } from "../../shared/core/labels.ts";
import { useObservable } from "../../shared/core/observable.ts";
import { LANGUAGE_TAGS, language, market, setMarket } from "../../shared/core/settings.ts";
import { useTexts } from "../../shared/core/texts.ts";
import { TEXTS } from "../texts.ts";
import { Value } from "../ui/shown.tsx";
import type { BestOffer } from "../view/best-offer.ts";
import { Availability } from "./prices.tsx";

export function Offer({ offer }: { offer: BestOffer }) {
  const texts = useTexts(TEXTS);
  const country = useObservable(market);
  return (
    <div class="book-offer">
      {offer.amount && (
        <span class="book-price">
          <Value shown={offer.amount} />
        </span>
      )}
      {offer.type && (
        <span class="muted">
          <Value shown={offer.type} />
        </span>
      )}
      {!offer.amount && country && offer.isSold && <span class="muted">{texts.noPriceThere}</span>}
      {!offer.isSold && <span class="muted">{texts.notSold}</span>}
      {offer.availability && <Availability shown={offer.availability} />}
      {(offer.amount || offer.availability || country) && <MarketChoice />}
    </div>
  );
}

/** The reader's country. The choice holds for all books, and is remembered. */
function MarketChoice() {
  const texts = useTexts(TEXTS);
  const chosen = useObservable(language);
  const country = useObservable(market);
  const countries = useTranslations()?.countries ?? {};
  const options = Object.entries(countries)
    .map(([code, label]) => [code, label[chosen]] as const)
    .sort(([, a], [, b]) => a.localeCompare(b, LANGUAGE_TAGS[chosen]));
  return (
    <label class="market">
      <span>{texts.priceIn}</span>
      <select class="field" value={country} onChange={({ currentTarget }) => setMarket(currentTarget.value)}>
        <option value="">{texts.anyCountry}</option>
        {options.map(([code, label]) => (
          <option key={code} value={code}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
