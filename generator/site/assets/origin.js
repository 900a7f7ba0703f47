/* The theme moves to a page at once if the sitemap lists it. The sitemap has the published address: give it this one. */
{
  const parse = DOMParser.prototype.parseFromString, published = "<loc>" + PUBLISHED;
  DOMParser.prototype.parseFromString = function (text, type) {
    return parse.call(this, type === "text/xml" ? text.replaceAll(published, "<loc>" + __md_scope.href) : text, type);
  };
}
