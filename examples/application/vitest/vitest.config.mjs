import loopproof from "loopproof/vitest/config";
import { defineConfig } from "vitest/config";

export default defineConfig({ plugins: [loopproof({ scenarios: ["../scripts"] })] });
