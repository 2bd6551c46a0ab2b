// node fastify-app.mjs CATALOG.db PORT: the straightforward implementation, without authentication.
import Database from "better-sqlite3";
import Fastify from "fastify";

const [, , databasePath, port] = process.argv;
const database = new Database(databasePath, { readonly: true });
const app = Fastify({ routerOptions: { maxParamLength: 20_000 } });

const TABLES = "record JOIN body USING (id)";
const selectRecord = database.prepare(`SELECT body FROM ${TABLES} WHERE isbn = ?`);
const selectImprint = database.prepare(`SELECT body FROM ${TABLES} WHERE imprint = ? ORDER BY isbn`);
const selectNews = database.prepare(
  `SELECT body FROM ${TABLES} WHERE published BETWEEN ? AND ? ORDER BY published DESC, isbn`,
);
const selectIsbns = database.prepare("SELECT isbn FROM record ORDER BY isbn");
const parseBody = ({ body }) => JSON.parse(body.toString());

app.get("/api/ready", () => ({ ready: true }));
app.get("/api/isbn/:isbn", ({ params }, reply) => {
  const row = selectRecord.get(Number(params.isbn));
  return row ? parseBody(row) : reply.code(404).send({ message: "Book not found" });
});
app.get("/api/isbns/:isbns", ({ params }) =>
  params.isbns.split(",").map((isbn) => parseBody(selectRecord.get(Number(isbn)))),
);
app.get("/api/imprint/:imprint", ({ params }) => selectImprint.all(params.imprint).map(parseBody));
app.get("/api/skus", () => selectIsbns.all().map(({ isbn }) => String(isbn)));
app.get("/api/news", () => {
  const dayBefore = (days) =>
    Number(new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10).replaceAll("-", ""));
  return selectNews.all(dayBefore(90), dayBefore(0)).map(parseBody);
});

await app.listen({ host: "127.0.0.1", port: Number(port) });
