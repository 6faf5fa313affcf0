#include "testbench/signoff/evidence/html.h"

#include <inttypes.h>

void pmuv3_html(FILE *out, const char *text) {
  for (; *text; text++) switch (*text) {
      case '<':
        fputs("&lt;", out);
        break;
      case '>':
        fputs("&gt;", out);
        break;
      case '&':
        fputs("&amp;", out);
        break;
      case '"':
        fputs("&quot;", out);
        break;
      default:
        if ((unsigned char)*text < ' ' && *text != '\n' && *text != '\t')
          fputs("\xEF\xBF\xBD", out); /* HTML has no control characters */
        else
          fputc(*text, out);
    }
}

void pmuv3_html_number(FILE *out, int64_t value) {
  if (value >= 1000) {
    pmuv3_html_number(out, value / 1000);
    fprintf(out, ",%03" PRId64, value % 1000);
  } else {
    fprintf(out, "%" PRId64, value);
  }
}
