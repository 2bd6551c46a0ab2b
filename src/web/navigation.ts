/** The links in the header of every page. The server writes them, and the app translates them. */

export type Section = "shelf" | "imprints" | "quality" | "imports" | "docs" | "api";

interface NavigationLink {
  readonly section: Section;
  /** Relative to the root of the service. */
  readonly path: string;
  readonly eng: string;
  readonly spa: string;
}

export const NAVIGATION: readonly NavigationLink[] = [
  { section: "shelf", path: "", eng: "Shelf", spa: "Estantería" },
  { section: "imprints", path: "imprints", eng: "Imprints", spa: "Sellos" },
  { section: "quality", path: "quality", eng: "Quality", spa: "Calidad" },
  { section: "imports", path: "imports", eng: "Imports", spa: "Cargas" },
  { section: "docs", path: "docs", eng: "Docs", spa: "Guía" },
  { section: "api", path: "openapi.html", eng: "API", spa: "API" },
];
