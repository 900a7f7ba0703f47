/* The theme moves to a page without a reload if the sitemap lists it. The sitemap has published addresses, which are
   replaced by those of this copy of the site. */
{
  const here = __md_scope.href, canonical = document.querySelector("link[rel=canonical]");
  const below = (location.origin + location.pathname).slice(here.length).replace(/index\.html$/, "").length;
  const published = "<loc>" + (canonical ? canonical.href.slice(0, canonical.href.length - below) : "");
  const parse = DOMParser.prototype.parseFromString;
  DOMParser.prototype.parseFromString = function (text, type) {
    return parse.call(this, type === "text/xml" ? text.replaceAll(published, "<loc>" + here) : text, type);
  };
}
