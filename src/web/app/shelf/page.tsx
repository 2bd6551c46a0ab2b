/** Shelf and search. */
import type { Summary } from "../../../client/book.ts";
import { get } from "../shared/core/api.ts";
import { useLoading } from "../shared/core/loading.ts";
import type { PageProps } from "../shared/core/page-props.ts";
import { hrefOf } from "../shared/core/router.ts";
import { useTitle } from "../shared/core/title.ts";
import { Cover } from "../shared/ui/cover.tsx";
import { Busy, Failure } from "../shared/ui/states.tsx";
import { WindowedList } from "../shared/ui/windowed-list.tsx";

export function ShelfPage({ query }: PageProps) {
  const loading = useLoading(query.toString(), (signal) =>
    get<Summary[]>("search", { limit: 100, ...Object.fromEntries(query) }, signal),
  );
  useTitle("");
  if (loading.kind === "failed") return <Failure error={loading.error} retry={loading.retry} />;
  if (loading.kind === "loading") return <Busy />;
  return (
    <>
      <h1>Shelf</h1>
      <WindowedList
        items={loading.value.body}
        rowRem={20}
        columnRem={11}
        label="Books"
        keyOf={(book) => book.isbn}
        render={(book) => (
          <a class="card" href={hrefOf(`book/${book.isbn}`)}>
            <Cover book={{ ...book, author: book.contributors[0]?.name ?? "" }} />
            <span dir="auto">{book.title}</span>
          </a>
        )}
      />
    </>
  );
}
