import type { Imprint } from "../types.ts";
import { anclaAzul } from "./ancla-azul.ts";
import { anuarios } from "./anuarios.ts";
import { atlasYCucharon } from "./atlas-y-cucharon.ts";
import { boira } from "./boira.ts";
import { buhoTipografo } from "./buho-tipografo.ts";
import { caracola } from "./caracola.ts";
import { dixNeuf } from "./dix-neuf.ts";
import { euriFina } from "./euri-fina.ts";
import { faroCiego } from "./faro-ciego.ts";
import { gaivota } from "./gaivota.ts";
import { igel } from "./igel.ts";
import { lumacaPaziente } from "./lumaca-paziente.ts";
import { mananaSinFalta } from "./manana-sin-falta.ts";
import { mothAndSemicolon } from "./moth-and-semicolon.ts";
import { museo } from "./museo.ts";
import { peninsulaImaginaria } from "./peninsula-imaginaria.ts";
import { polvoLento } from "./polvo-lento.ts";
import { teapotLighthouse } from "./teapot-lighthouse.ts";

export const IMPRINTS: Imprint[] = [
  anclaAzul,
  mananaSinFalta,
  peninsulaImaginaria,
  mothAndSemicolon,
  teapotLighthouse,
  dixNeuf,
  boira,
  gaivota,
  polvoLento,
  igel,
  lumacaPaziente,
  euriFina,
  buhoTipografo,
  atlasYCucharon,
  museo,
  anuarios,
  caracola,
  faroCiego,
];
